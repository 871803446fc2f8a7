// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FormDraftStore", path: "..")],
  targets: [
    // The floor: the same SQL in plain C.
    .target(
      name: "CFloor", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("curl")]),
    .executableTarget(
      name: "DraftBenchmark",
      dependencies: [
        "CFloor", .product(name: "DraftStore", package: "FormDraftStore"),
        .product(name: "DraftSync", package: "FormDraftStore"),
        .product(name: "FormEditing", package: "FormDraftStore"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

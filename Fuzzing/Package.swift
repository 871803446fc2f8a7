// swift-tools-version: 6.1
import PackageDescription

// Built by `scripts/fuzz`, which adds -sanitize=fuzzer, without which it does not link, and
// -enable-testing, for some targets look at what is internal.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FormDraftStore", path: "..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", .product(name: "FormModel", package: "FormDraftStore"),
        .product(name: "DraftStore", package: "FormDraftStore"),
        .product(name: "DraftSync", package: "FormDraftStore"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

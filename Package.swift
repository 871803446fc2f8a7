// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "FormDraftStore",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "FormModel", targets: ["FormModel"]),
    .library(name: "DraftStore", targets: ["DraftStore"]),
    .library(name: "DraftSync", targets: ["DraftSync"]),
    .library(name: "FormEditing", targets: ["FormEditing"]),
    .library(name: "FormPage", targets: ["FormPage"]),
    .executable(name: "formdraft", targets: ["formdraft"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    .target(name: "FormModel"),
    .target(name: "DraftDatabase", dependencies: ["CSQLite"]),
    .target(
      name: "Migrations", dependencies: ["DraftDatabase"], plugins: ["EmbedMigrations"]),
    .target(name: "DraftStore", dependencies: ["DraftDatabase", "Migrations", "FormModel"]),
    .target(name: "DraftSync", dependencies: ["DraftStore", "FormModel", "CCurl"]),
    .target(name: "FormEditing", dependencies: ["DraftStore", "FormModel"]),
    .target(
      name: "FormPage",
      dependencies: [
        "FormEditing", "DraftSync", "DraftStore", "DraftDatabase", "FormModel", "CMicroHTTPD",
      ],
      exclude: ["Assets"], plugins: ["EmbedPage"]),
    .executableTarget(
      name: "formdraft",
      dependencies: [
        "FormPage", "DraftSync", "FormEditing", "DraftStore", "DraftDatabase", "FormModel",
      ]),

    // The library example of the README.
    .executableTarget(
      name: "QuickStart", dependencies: ["DraftStore", "DraftSync", "FormModel"],
      path: "Examples/QuickStart"),

    // Compiles `migrations/` into the target Migrations, the files of the page into FormPage.
    .plugin(name: "EmbedMigrations", capability: .buildTool(), dependencies: ["embed-files"]),
    .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-files"]),
    .executableTarget(name: "embed-files"),

    // Random forms, and the cases in Tests/Cases, for all test targets.
    .target(name: "FormSamples", dependencies: ["FormModel"], path: "Tests/FormSamples"),
    .testTarget(name: "FormModelTests", dependencies: ["FormModel", "FormSamples"]),
    .testTarget(name: "DraftDatabaseTests", dependencies: ["DraftDatabase", "CSQLite"]),
    .testTarget(
      name: "DraftStoreTests",
      dependencies: ["DraftStore", "DraftDatabase", "FormModel", "FormSamples"]),
    .testTarget(
      name: "DraftSyncTests",
      dependencies: [
        "DraftSync", "DraftStore", "DraftDatabase", "FormModel", "FormSamples", "ServerSupport",
      ]),
    // Real servers, and a proxy that fails on demand.
    .target(name: "ServerSupport", dependencies: ["FormModel"], path: "Tests/ServerSupport"),
    .testTarget(
      name: "UploadTests",
      dependencies: [
        "formdraft", "DraftSync", "DraftStore", "DraftDatabase", "FormModel", "FormSamples",
        "ServerSupport",
      ]),
    .testTarget(
      name: "FormEditingTests",
      dependencies: ["FormEditing", "DraftStore", "FormModel", "FormSamples"]),
    .testTarget(
      name: "PageTests", dependencies: ["formdraft", "FormModel", "FormSamples"],
      exclude: ["Browser"]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "formdraft", "QuickStart", "DraftStore", "DraftDatabase", "FormModel", "FormSamples",
        "ServerSupport",
      ]),

    // Failing disks, lost power, killed processes and damaged files.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .target(
      name: "FaultSupport",
      dependencies: ["CSQLite", "DraftStore", "DraftDatabase", "FormModel", "FormSamples"],
      path: "Tests/FaultSupport"),
    // The process in which a disk fails, or which is killed.
    .executableTarget(
      name: "fault-helper",
      dependencies: [
        "CFaultVFS", "FaultSupport", "DraftStore", "DraftDatabase", "Migrations", "FormModel",
        "FormSamples",
      ],
      path: "Tests/FaultHelper"),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "fault-helper", "formdraft", "FaultSupport", "DraftSync", "DraftStore", "DraftDatabase",
        "Migrations", "FormModel", "FormSamples",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

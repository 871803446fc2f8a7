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
      dependencies: ["FormPage", "DraftSync", "DraftStore", "DraftDatabase", "FormModel"]),

    // The library example of the README.
    .executableTarget(
      name: "QuickStart", dependencies: ["DraftStore", "DraftSync", "FormModel"],
      path: "Examples/QuickStart"),

    // Compiles `migrations/` into the target Migrations.
    .plugin(name: "EmbedMigrations", capability: .buildTool(), dependencies: ["embed-migrations"]),
    .executableTarget(name: "embed-migrations"),
    // Compiles the files of the page into the target FormPage.
    .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-page"]),
    .executableTarget(name: "embed-page"),

    // Random forms, and the cases in Tests/Cases, for all test targets.
    .target(name: "FormSamples", dependencies: ["FormModel"], path: "Tests/FormSamples"),
    .testTarget(name: "FormModelTests", dependencies: ["FormModel", "FormSamples"]),
    .testTarget(name: "DraftDatabaseTests", dependencies: ["DraftDatabase", "CSQLite"]),
    .testTarget(
      name: "DraftStoreTests",
      dependencies: ["DraftStore", "DraftDatabase", "FormModel", "FormSamples"]),
    .testTarget(
      name: "DraftSyncTests",
      dependencies: ["DraftSync", "DraftStore", "DraftDatabase", "FormModel", "FormSamples"]),
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
      ]),
  ],
  swiftLanguageModes: [.v6]
)

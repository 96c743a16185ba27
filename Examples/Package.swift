// swift-tools-version: 6.2
import PackageDescription

/// The Debian packages behind the system libraries are named in `../Scripts/packages`.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "DevicePermissions", path: "..")],
  targets: [
    // System libraries.
    .systemLibrary(name: "CCamera", path: "CModules/CCamera"),
    .systemLibrary(
      name: "CTurboJPEG", path: "CModules/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CScreen", path: "CModules/CScreen",
      providers: [.apt(["libncurses-dev"])]),

    // The programs.
    .executableTarget(
      name: "camera-and-album",
      dependencies: [
        "CCamera", "CTurboJPEG", .product(name: "LegoKit", package: "DevicePermissions"),
        .product(name: "DevicePermissions", package: "DevicePermissions"),
      ]),
    .executableTarget(
      name: "hold-camera",
      dependencies: [
        .product(name: "LegoKit", package: "DevicePermissions"),
        .product(name: "DevicePermissions", package: "DevicePermissions"),
      ]),
    .executableTarget(
      name: "choose-pictures",
      dependencies: [
        .product(name: "LegoKit", package: "DevicePermissions"),
        .product(name: "DevicePermissions", package: "DevicePermissions"),
      ]),
    .executableTarget(
      name: "sign-up",
      dependencies: ["CScreen", .product(name: "LegoKit", package: "DevicePermissions")]),
    .executableTarget(
      name: "counter-daemon",
      dependencies: [
        .product(name: "LegoKit", package: "DevicePermissions"),
        .product(name: "LegoKeeping", package: "DevicePermissions"),
      ]),
    .executableTarget(
      name: "replay-report",
      dependencies: [.product(name: "LegoKit", package: "DevicePermissions")]),

    // Tests.
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "camera-and-album", "hold-camera", "choose-pictures", "sign-up", "counter-daemon",
        "replay-report",
        .product(name: "LegoKit", package: "DevicePermissions"),
        .product(name: "LegoTesting", package: "DevicePermissions"),
        .product(name: "DevicePermissions", package: "DevicePermissions"),
        .product(name: "DevicePermissionsTesting", package: "DevicePermissions"),
      ],
      exclude: ["Fixtures"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}

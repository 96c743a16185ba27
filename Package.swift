// swift-tools-version: 6.2
import PackageDescription

/// The settings below need the tools of Swift 6.2.
///
/// UdevRules, AccessModel, LegoKit, LegoPublishers, LegoTesting and LegoEndpoints use nothing of Linux, and
/// are meant for macOS too. The module maps of the C modules say that the other libraries need Linux.
///
/// `Scripts/packages`, which installs the Debian packages of the system libraries, also names them;
/// `Scripts/lint` compares the two.
let package = Package(
  name: "DevicePermissions",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "devaccess", targets: ["devaccess"]),
    .library(name: "LegoKit", targets: ["LegoKit"]),
    .library(name: "LegoPublishers", targets: ["LegoPublishers"]),
    .library(name: "LegoTesting", targets: ["LegoTesting"]),
    .library(name: "LegoKeeping", targets: ["LegoKeeping"]),
    .library(name: "LegoSecrets", targets: ["LegoSecrets"]),
    .library(name: "LegoLinks", targets: ["LegoLinks"]),
    .library(name: "LegoEndpoints", targets: ["LegoEndpoints"]),
    .library(name: "UdevRules", targets: ["UdevRules"]),
    .library(name: "AccessModel", targets: ["AccessModel"]),
    .library(name: "DevicePermissions", targets: ["DevicePermissions"]),
    .library(name: "DevicePermissionsTesting", targets: ["DevicePermissionsTesting"]),
    .plugin(name: "LegoPlugin", targets: ["LegoPlugin"]),
  ],
  traits: [
    .trait(
      name: "UMockdev",
      description: "The test bed that shows fake hardware to the real libudev; needs umockdev.")
  ],
  targets: [
    // System libraries.
    .systemLibrary(
      name: "CUdev", path: "CModules/CUdev", pkgConfig: "libudev",
      providers: [.apt(["libudev-dev"])]),
    .systemLibrary(
      name: "CCapability", path: "CModules/CCapability", pkgConfig: "libcap",
      providers: [.apt(["libcap-dev"])]),
    .systemLibrary(
      name: "CACL", path: "CModules/CACL", pkgConfig: "libacl",
      providers: [.apt(["libacl1-dev"])]),
    .systemLibrary(
      name: "CSystemd", path: "CModules/CSystemd",
      providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
      name: "CNcurses", path: "CModules/CNcurses",
      providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(
      name: "CSecret", path: "CModules/CSecret", pkgConfig: "libsecret-1",
      providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(name: "CKeyring", path: "CModules/CKeyring"),
    .systemLibrary(name: "CVideo4Linux", path: "CModules/CVideo4Linux"),
    .systemLibrary(name: "CLinux", path: "CModules/CLinux"),
    .systemLibrary(name: "CGetopt", path: "CModules/CGetopt"),
    .systemLibrary(name: "CMalloc", path: "CModules/CMalloc"),
    .systemLibrary(
      name: "CUMockdev", path: "CModules/CUMockdev", pkgConfig: "umockdev-1.0",
      providers: [.apt(["libumockdev-dev"])]),

    // The product.
    .target(name: "LegoPublishers", path: "Sources/Lego/LegoPublishers"),
    .target(name: "JSONText", path: "Sources/Base/JSONText"),
    .target(
      name: "LegoKit", dependencies: ["LegoPublishers", "JSONText"], path: "Sources/Lego/LegoKit"),
    .target(name: "LegoTesting", dependencies: ["LegoKit"], path: "Sources/Lego/LegoTesting"),
    .target(
      name: "LegoKeeping", dependencies: ["LegoKit", "JSONText", "CLinux"],
      path: "Sources/Lego/LegoKeeping"),
    .target(
      name: "LegoSecrets", dependencies: ["LegoKit", "JSONText", "CSecret", "CKeyring"],
      path: "Sources/Lego/LegoSecrets"),
    .target(name: "MessageBus", dependencies: ["CSystemd"], path: "Sources/Base/MessageBus"),
    .target(
      name: "LegoLinks", dependencies: ["LegoKit", "MessageBus", "JSONText"],
      path: "Sources/Lego/LegoLinks"),
    .target(
      name: "LegoEndpoints", dependencies: ["LegoKit", "JSONText"],
      path: "Sources/Lego/LegoEndpoints"),
    .target(name: "UdevRules", path: "Sources/Devices/UdevRules"),
    .target(
      name: "AccessModel", dependencies: ["UdevRules"], path: "Sources/Devices/AccessModel"),
    .target(
      name: "LinuxDevices",
      dependencies: [
        "AccessModel", "UdevRules", "MessageBus", "CUdev", "CCapability", "CACL", "CSystemd",
        "CVideo4Linux", "CLinux",
      ], path: "Sources/Devices/LinuxDevices"),
    .target(
      name: "DeviceWatching", dependencies: ["LinuxDevices", "AccessModel"],
      path: "Sources/Devices/DeviceWatching"),
    .target(
      name: "DevicePermissions",
      dependencies: ["LegoKit", "DeviceWatching", "LinuxDevices", "AccessModel", "JSONText"],
      path: "Sources/Devices/DevicePermissions"),
    .target(
      name: "DevicePermissionsTesting",
      dependencies: [
        "DevicePermissions", "DeviceWatching", "LinuxDevices", "AccessModel", "LegoKit",
        .target(name: "CUMockdev", condition: .when(traits: ["UMockdev"])),
      ], path: "Sources/Devices/DevicePermissionsTesting"),
    .target(name: "CTerminalGuard", path: "Sources/Command/CTerminalGuard"),
    .target(
      name: "TerminalScreen", dependencies: ["CNcurses", "CTerminalGuard"],
      path: "Sources/Command/TerminalScreen"),
    .target(
      name: "DeviceAccessCommands",
      dependencies: [
        "DevicePermissions", "LinuxDevices", "AccessModel", "UdevRules", "LegoKit", "JSONText",
        "TerminalScreen", "CGetopt",
      ],
      path: "Sources/Command/DeviceAccessCommands",
      resources: [
        .embedInCode("Resources/example-snapshot.json"), .embedInCode("Resources/Causes.md"),
      ]),
    .target(name: "CProgramStart", path: "Sources/Command/CProgramStart"),
    .target(
      name: "AccessBroker", dependencies: ["LinuxDevices", "AccessModel", "MessageBus"],
      path: "Sources/Command/AccessBroker"),
    .executableTarget(
      name: "devaccess-broker", dependencies: ["AccessBroker", "CProgramStart"],
      path: "Sources/Command/devaccess-broker"),
    .executableTarget(
      name: "devaccess",
      dependencies: ["DeviceAccessCommands", "LinuxDevices", "AccessModel", "CProgramStart"],
      path: "Sources/Command/devaccess"),

    .plugin(
      name: "LegoPlugin",
      capability: .command(
        intent: .custom(
          verb: "lego", description: "Write a feature, a service or a router, with its test."),
        permissions: [.writeToPackageDirectory(reason: "It writes the source and its test.")])),

    // Tests.
    .testTarget(name: "LegoPublishersTests", dependencies: ["LegoPublishers", "RaceRounds"]),
    .testTarget(
      name: "LegoPortedSwift5Tests",
      dependencies: ["LegoKit", "LegoKeeping", "LegoSecrets", "LegoPublishers"],
      path: "Tests/Ported/Swift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "LegoPortedSwift6Tests",
      dependencies: ["LegoKit", "LegoKeeping", "LegoSecrets", "LegoPublishers"],
      path: "Tests/Ported/Swift6"),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
    .testTarget(
      name: "LegoKitTests",
      dependencies: ["LegoKit", "LegoTesting", "LegoSamples", "RaceRounds", "CMalloc"]),
    .testTarget(
      name: "LegoKeepingTests",
      dependencies: [
        "LegoKeeping", "LegoKit", "LegoTesting", "LegoSamples", "LinuxTestSupport", "CLinux",
        "design-keeper",
      ]),
    .testTarget(
      name: "LegoSecretsTests",
      dependencies: ["LegoSecrets", "LegoKit", "LegoTesting", "LinuxTestSupport", "CKeyring"]),
    .testTarget(
      name: "LegoEndpointsTests",
      dependencies: ["LegoEndpoints", "LegoKit", "LegoTesting", "LinuxTestSupport"]),
    .executableTarget(
      name: "design-keeper", dependencies: ["LegoKeeping", "LegoKit"],
      path: "Tests/Support/design-keeper"),
    .testTarget(name: "MessageBusTests", dependencies: ["MessageBus", "LinuxTestSupport"]),
    .testTarget(
      name: "LegoLinksTests",
      dependencies: [
        "LegoLinks", "LegoKit", "MessageBus", "LegoSamples", "LinuxTestSupport", "link-program",
        "notification-service",
      ]),
    .executableTarget(
      name: "link-program", dependencies: ["LegoLinks", "LegoKit"],
      path: "Tests/Support/link-program"),
    .target(name: "LegoSamples", dependencies: ["LegoKit"], path: "Tests/Support/LegoSamples"),
    .target(name: "RaceRounds", path: "Tests/Support/RaceRounds"),
    .testTarget(
      name: "AccessModelTests", dependencies: ["AccessModel", "UdevRules", "AnswerAgreement"]),
    .testTarget(name: "UdevRulesTests", dependencies: ["UdevRules", "AccessModel"]),
    .executableTarget(
      name: "udev-prediction", dependencies: ["UdevRules", "JSONText", "JSONReading"],
      path: "Tests/Support/udev-prediction"),
    .testTarget(
      name: "LinuxDevicesTests",
      dependencies: [
        "LinuxDevices", "AccessModel", "UdevRules", "MessageBus", "DevicePermissionsTesting",
        "LinuxTestSupport", "AnswerAgreement", "CACL", "CCapability", "device-holder",
        "DeviceWatching", "DevicePermissions", "DeviceAccessCommands", "portal-service",
      ]),
    .testTarget(
      name: "DeviceWatchingTests",
      dependencies: [
        "DeviceWatching", "LinuxDevices", "AccessModel", "DevicePermissions",
        "DevicePermissionsTesting", "LegoKit", "LinuxTestSupport", "MachineSamples",
        "device-holder",
      ]),
    // The tests that depend on the trait. Every other test is the same without it.
    .testTarget(
      name: "FakeHardwareTests",
      dependencies: [
        "DeviceWatching", "LinuxDevices", "AccessModel", "DevicePermissionsTesting",
        "DevicePermissions", "LinuxTestSupport",
      ]),
    .testTarget(
      name: "DevicePermissionsTests",
      dependencies: [
        "DevicePermissions", "DevicePermissionsTesting", "DeviceWatching", "LegoKit",
        "LinuxDevices", "AccessModel", "MessageBus", "LinuxTestSupport", "MachineSamples",
        "portal-service",
      ]),
    .testTarget(
      name: "AccessBrokerTests",
      dependencies: [
        "AccessBroker", "LinuxDevices", "AccessModel", "MessageBus", "LinuxTestSupport",
        "devaccess-broker",
      ]),
    .testTarget(
      name: "DevicePermissionsTestingTests",
      dependencies: [
        "DevicePermissionsTesting", "DevicePermissions", "LegoKit", "LinuxDevices", "AccessModel",
      ]),
    .testTarget(
      name: "DeviceAccessCommandsTests",
      dependencies: [
        "DeviceAccessCommands", "DevicePermissionsTesting", "DevicePermissions", "DeviceWatching",
        "LinuxDevices", "AccessModel", "UdevRules", "LegoKit", "JSONText", "JSONReading",
        "AnswerAgreement", "LinuxTestSupport", "MachineSamples", "TerminalScreen", "devaccess",
        "broken-system", "notification-service", "portal-service",
      ]),
    .executableTarget(name: "broken-system", path: "Tests/Support/broken-system"),
    .executableTarget(
      name: "notification-service", path: "Tests/Support/notification-service",
      linkerSettings: [.linkedLibrary("systemd")]),
    .executableTarget(
      name: "portal-service", path: "Tests/Support/portal-service",
      linkerSettings: [.linkedLibrary("systemd")]),
    .executableTarget(name: "device-holder", path: "Tests/Support/device-holder"),
    .target(name: "LinuxTestSupport", path: "Tests/Support/LinuxTestSupport"),
    .target(
      name: "MachineSamples",
      dependencies: ["DevicePermissionsTesting", "DeviceWatching", "LinuxDevices", "AccessModel"],
      path: "Tests/Support/MachineSamples"),
    .target(
      name: "AnswerAgreement",
      dependencies: [
        "DeviceAccessCommands", "DevicePermissions", "LinuxDevices", "AccessModel", "LegoKit",
      ],
      path: "Tests/Support/AnswerAgreement"),
    .target(
      name: "JSONReading", dependencies: ["JSONText"], path: "Tests/Support/JSONReading"),
    .target(name: "CKernelOracle", path: "Tests/Support/CKernelOracle"),
    .target(
      name: "CaseGenerator", dependencies: ["AccessModel", "CKernelOracle"],
      path: "Tests/Support/CaseGenerator"),
    .executableTarget(
      name: "kernel-compare", dependencies: ["AccessModel", "CaseGenerator"],
      path: "Tests/Support/kernel-compare"),
    .testTarget(
      name: "KernelTests", dependencies: ["AccessModel", "CaseGenerator", "AnswerAgreement"]),

    .target(
      name: "ParserFuzzing",
      dependencies: [
        "LinuxDevices", "DeviceAccessCommands", "AccessModel", "UdevRules", "JSONText",
        "JSONReading", "MessageBus", "AccessBroker",
      ],
      path: "Tests/Fuzzing/ParserFuzzing"),
    .executableTarget(
      name: "parser-fuzzer", dependencies: ["ParserFuzzing"],
      path: "Tests/Fuzzing/parser-fuzzer"),
    .testTarget(
      name: "ParserFuzzingTests", dependencies: ["ParserFuzzing"],
      path: "Tests/Fuzzing/ParserFuzzingTests"),

    // Benchmarks, always in release mode.
    .executableTarget(
      name: "StoreBenchmark",
      dependencies: ["LegoKit", "LegoKeeping", "JSONText", "CAllocationCounter", "CMalloc"],
      path: "Benchmarks/StoreBenchmark"),
    .executableTarget(
      name: "PublisherBenchmark", dependencies: ["LegoPublishers"],
      path: "Benchmarks/PublisherBenchmark"),
    .target(name: "CAllocationCounter", path: "Benchmarks/Support/CAllocationCounter"),
    .executableTarget(
      name: "LiveBenchmark",
      dependencies: ["DevicePermissions", "LinuxDevices", "LegoKit"],
      path: "Benchmarks/LiveBenchmark"),
    .executableTarget(
      name: "DecisionBenchmark", dependencies: ["AccessModel", "LinuxDevices"],
      path: "Benchmarks/DecisionBenchmark"),
  ],
  swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let targetsInC: Set = [
  "CProgramStart", "CTerminalGuard", "CKernelOracle", "CAllocationCounter", "broken-system",
  "device-holder", "notification-service", "portal-service",
]

/// Ported programs, which are compiled with the settings of their authors.
let portedTargets: Set = ["LegoPortedSwift5Tests", "LegoPortedSwift6Tests"]

/// Targets that debug builds optimise too, because tests call them millions of times.
///
/// The first belongs to no product. `Scripts/test` adds others, which do: only its builds use these
/// flags, because packages that depend on this one would have to allow them.
let optimisedTargets = Set(
  ["LegoSamples"]
    + (Context.environment["DEVACCESS_OPTIMISED_TARGETS"] ?? "").split(separator: " ")
    .map(String.init))

for target in package.targets
where !targetsInC.contains(target.name) && !portedTargets.contains(target.name)
  && target.type != .system && target.type != .plugin
{
  target.swiftSettings = settings
  if optimisedTargets.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}

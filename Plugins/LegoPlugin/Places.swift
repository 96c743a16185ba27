import Foundation
import PackagePlugin

/// The targets that are written into.
struct Places {
  let source: SwiftSourceModuleTarget

  /// The target for the test; `nil` if none would do.
  let tests: SwiftSourceModuleTarget?

  /// The identity of the package that has LegoKit, or `nil` where it is this one.
  private let lego: String?

  /// Finds the targets that the arguments mean.
  init(_ package: Package, _ arguments: Arguments) throws {
    lego =
      package.dependencies.map(\.package).first { package in
        package.products.contains { $0.name == "LegoKit" }
      }?.id
    let swift = package.targets(ofType: SwiftSourceModuleTarget.self)
    let sources = swift.filter { $0.kind == .generic || $0.kind == .executable }
    source = try Self.choice(arguments.target, of: sources, "target", "--target")
    guard Self.depends(source, on: "LegoKit") else {
      throw ScaffoldError(
        "\(source.name) does not depend on LegoKit: add \(Self.product("LegoKit", lego)) to its "
          + "dependencies")
    }
    let candidates = swift.filter { [source] test in
      test.kind == .test && Self.depends(test, on: "LegoTesting")
        && test.recursiveTargetDependencies.contains { $0.id == source.id }
    }
    if candidates.isEmpty, arguments.testTarget == nil {
      tests = nil
    } else {
      tests = try Self.choice(
        arguments.testTarget, of: candidates,
        "test target that depends on \(source.name) and LegoTesting", "--test-target")
    }
  }

  /// What to add to the manifest, so that the next command writes a test.
  var howToAddTests: String {
    """
    wrote no test: no test target depends on \(source.name) and LegoTesting.
    To have one, add to the targets in Package.swift:
        .testTarget(
          name: "\(source.name)Tests",
          dependencies: ["\(source.name)", \(Self.product("LegoTesting", lego))]),
    """
  }

  private static func choice(
    _ name: String?, of targets: [SwiftSourceModuleTarget], _ what: String, _ option: String
  ) throws -> SwiftSourceModuleTarget {
    let list = targets.map(\.name).sorted().joined(separator: ", ")
    let known = list.isEmpty ? "there is none" : "there is \(list)"
    if let name {
      guard let target = targets.first(where: { $0.name == name })
      else { throw ScaffoldError("no \(what) is called \(name.quoted); \(known)") }
      return target
    }
    guard let only = targets.first else { throw ScaffoldError("the package has no \(what)") }
    guard targets.count == 1
    else { throw ScaffoldError("more than one \(what): choose with \(option): \(list)") }
    return only
  }

  private static func depends(_ target: SwiftSourceModuleTarget, on module: String) -> Bool {
    target.recursiveTargetDependencies.contains { $0.sourceModule?.moduleName == module }
  }

  private static func product(_ name: String, _ package: String?) -> String {
    package.map { ".product(name: \"\(name)\", package: \"\($0)\")" } ?? "\"\(name)\""
  }
}

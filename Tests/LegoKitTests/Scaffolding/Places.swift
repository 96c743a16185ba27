import Foundation

/// Where the plugin would write, for tests of what it writes: SwiftPM's own modules, of which the
/// plugin makes this, are there for plugins only.
struct Places {
  struct Target {
    var directoryURL: URL
    var moduleName: String
  }

  var source: Target
  var tests: Target?

  static let example = Places(
    source: Target(directoryURL: URL(filePath: "/package/Sources/App"), moduleName: "App"),
    tests: Target(directoryURL: URL(filePath: "/package/Tests/AppTests"), moduleName: "AppTests"))
}

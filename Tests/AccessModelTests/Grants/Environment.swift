import Foundation

/// Numbers in environment variables that increase the number of rounds in a test.
enum Environment {
  static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}

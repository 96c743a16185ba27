import Foundation

/// Numbers that make a test do more than usual.
enum Environment {
  static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}

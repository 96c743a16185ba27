import Foundation
import Glibc

/// A program that runs until the value goes, or the test process ends, however it does.
final class Child {
  /// The process ID.
  let number: pid_t
  private let shell = Process()
  private let input = Pipe()

  /// Starts a command of the shell, which goes on to be the program.
  ///
  /// Its process ID is written into the folder. The path is added to its environment.
  init(_ command: String, in folder: Folder, environment: [String: String] = [:]) throws {
    let name = "child-\(UUID().uuidString)"
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The shell holds the other end of a pipe of this process.
    shell.arguments = [
      "-c",
      """
      \(command) & child=$!
      echo $child >"$1.part" && mv "$1.part" "$1"
      cat >/dev/null
      kill -KILL $child
      wait
      """, "sh", folder.path(name),
    ]
    shell.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    shell.standardInput = input
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    var number: pid_t?
    for _ in 0..<60_000 where number == nil {
      number = folder.text(name).flatMap { pid_t($0.dropLast()) }
      usleep(2_000)
    }
    guard let number else { throw CocoaError(.fileNoSuchFile) }
    self.number = number
  }

  deinit { end() }

  /// Whether the program has ended by itself.
  var hasEnded: Bool {
    let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    return stat?.contains(") Z ") ?? true
  }

  func send(_ signal: Int32) { kill(number, signal) }

  /// Ends the program, and waits until it has ended.
  func end() {
    guard shell.isRunning else { return }
    try? input.fileHandleForWriting.close()
    shell.waitUntilExit()
  }
}

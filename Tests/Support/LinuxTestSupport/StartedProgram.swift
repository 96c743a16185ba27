import Foundation
package import Glibc

/// A program that a test started, which is killed when the value is deallocated.
package final class StartedProgram {
  package let number: pid_t
  private let output: Int32
  private var isReaped = false

  /// Starts a program with the signal settings of a shell.
  ///
  /// - Parameters:
  ///   - line: The path of the program and its arguments.
  ///   - environment: The environment of the program.
  /// - Throws: `SystemError`.
  package init(_ line: [String], environment: [String] = ["PATH=/usr/bin:/bin"]) throws {
    let ends = try PipeEnds.open()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends.writing, 1)
    let words: [UnsafeMutablePointer<CChar>?] = unsafe line.map { unsafe strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] =
      unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
      for index in unsafe variables.indices { unsafe free(variables[index]) }
    }
    var number: pid_t = 0
    let failure = unsafe ShellSignals.withAttributes { attributes in
      unsafe posix_spawn(&number, line[0], &actions, attributes, words, variables)
    }
    close(ends.writing)
    output = ends.reading
    self.number = number
    guard failure == 0 else {
      isReaped = true
      throw SystemError(call: "posix_spawn", errno: failure)
    }
  }

  /// Waits for the next line of output and returns it; `nil` at the end of the output.
  package func line() -> String? { Self.line(from: output) }

  /// Waits for the next line on a separate thread, without blocking the caller's executor.
  ///
  /// If a test exceeds its time limit, its task is cancelled. The program is then killed, which
  /// ends the wait.
  package func nextLine() async -> String? {
    let (output, number) = (output, number)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Self.line(from: output)) }
      }
    } onCancel: {
      kill(number, SIGKILL)
    }
  }

  /// A Boolean value that indicates whether reading would not block.
  package var hasOutput: Bool {
    var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&file, 1, 0) > 0
  }

  private static func line(from output: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(output, &byte, 1)
      if count < 0, errno == EINTR { continue }
      // Ignore an incomplete last line.
      if count <= 0 { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Sends a signal to the program.
  package func send(_ signal: Int32) { kill(number, signal) }

  /// Waits until the program ends.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it.
  package func end() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  deinit {
    if !isReaped {
      kill(number, SIGKILL)
      _ = end()
    }
    close(output)
  }
}

import Foundation
package import Glibc

/// A program that a test has started; it is killed with the value.
package final class StartedProgram {
  package let number: pid_t
  private let output: Int32
  private var isReaped = false

  /// Starts a program, with the signals as a shell gives them.
  ///
  /// - Parameters:
  ///   - line: The path of the program and its arguments.
  ///   - environment: Its environment.
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

  /// Reads the next line, and waits for it; `nil` at the end.
  package func line() -> String? { Self.line(from: output) }

  /// The same on a thread of its own, so that the tasks of the caller can go on.
  ///
  /// A test whose time is up cancels its task: that ends the program, and with it the waiting.
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

  /// Whether there is something to read, or the end, without waiting.
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
      // A line that was cut off was not printed.
      if count <= 0 { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) { kill(number, signal) }

  /// Waits for its end.
  ///
  /// - Returns: The exit status, or 128 and the signal.
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

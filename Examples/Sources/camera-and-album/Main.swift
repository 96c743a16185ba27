import Glibc

/// The process around the program.
@main struct Main {
  static func main() async {
    let program = Program(
      output: { send($0, to: STDOUT_FILENO) }, errors: { send($0, to: STDERR_FILENO) },
      input: { readLine() })
    exit(await program.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Prints a line at once, also where a pipe reads it.
  private static func send(_ line: String, to descriptor: Int32) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      // Nobody reads any more.
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}

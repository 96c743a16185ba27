import Glibc
import LegoKeeping
import LegoKit

/// Counts ticks until it is ended, and goes on where it was: `counter-daemon [MILLISECONDS]`.
///
/// It prints what it begins with, and each count that is on the disk. What it has printed, no crash
/// takes back. SIGTERM and SIGINT close the store first.
@main struct Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let interval = arguments.isEmpty ? 1_000 : arguments.first.flatMap { Int($0) } ?? 0
    guard arguments.count <= 1, (1...86_400_000).contains(interval) else {
      complain("usage: counter-daemon [MILLISECONDS]")
      exit(64)
    }
    // The loop below saves, so that the daemon knows what is on the disk.
    let keeper = Keeper<CounterBlueprint.Design>("counter", saving: .whenAsked)
    let lego = Lego(
      .init(), blueprint: CounterBlueprint(),
      adaptors: [CounterAdaptor(every: .milliseconds(interval)), Keeping(keeper)])
    let ending = lego.closeOnSignals()
    let begins = lego.design
    say("begins with \(begins.ticks) ticks of \(begins.lives) lives")
    lego.build(.begin)
    for await design in lego.observe(\.self) {
      do {
        try await keeper.save()
        say("saved \(design.ticks)")
      } catch {
        // The store works on, and saves later what it could not save now.
        complain("\(error)")
      }
    }
    // The sequence ends when a signal closes the store, which then ends the process.
    withExtendedLifetime(ending) { while true { pause() } }
  }

  /// Prints a line at once, also where a pipe reads it.
  private static func say(_ line: String) { send("\(line)\n", to: STDOUT_FILENO) }

  private static func complain(_ line: String) {
    send("counter-daemon: \(line)\n", to: STDERR_FILENO)
  }

  private static func send(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe write(descriptor, bytes, bytes.count)
  }
}

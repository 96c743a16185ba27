import Glibc
import LegoKeeping
import LegoKit

// A test program that keeps a counter.
//
//   design-keeper save DIRECTORY          increments, saves and prints the counter in a loop
//   design-keeper add DIRECTORY COUNT     adds COUNT to the counter, merging with other programs
//   design-keeper exit DIRECTORY          increments once and ends with exit(3)
//   design-keeper leave DIRECTORY         the same, after the store was released
//   design-keeper signal DIRECTORY        increments once and waits for a signal
//   design-keeper daemon DIRECTORY        prints each value, and finally "closed", with print
//   design-keeper stubborn DIRECTORY      like signal, with a store that never closes
//
// The first line of output is "begins" and the initial value.

/// A counter with additional data, so that writing takes some time.
struct Tally: Blueprint {
  struct Design: Codable, Equatable, Sendable, Mergeable {
    var count = 0
    var weight: [Int] = []

    func merged(with theirs: Design, since base: Design) -> Design {
      Design(count: count + theirs.count - base.count, weight: weight)
    }
  }

  enum Change: Equatable, Sendable {
    case add
    case arrived(KeptArrival<Design>)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .add:
      design.count += 1
      design.weight = (0..<design.count % 4_000).map { $0 ^ design.count }
    case .arrived(let arrival): design = arrival.merged(into: design)
    }
  }
}

/// An adaptor that prevents the store from closing.
final class Stubborn: Adaptor<Tally> {
  override func closing(_ design: Tally.Design) -> Effect<Tally.Change> {
    .run { _ in
      say("closing")
      while true { try? await Task.sleep(for: .seconds(60)) }
    }
  }
}

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let mode = arguments[1]
let place: StateDirectory =
  arguments[2] == "standard" ? .standard(program: "keeper") : .path(arguments[2])
let keeper = Keeper<Tally.Design>(
  "tally", in: place, saving: mode == "save" ? .whenAsked : .automatic)

func store(_ adaptors: sending [Adaptor<Tally>] = []) -> Lego<Tally> {
  let lego = Lego(
    .init(), blueprint: Tally(),
    adaptors: adaptors + [Keeping(keeper) { .arrived($0) }])
  let design = lego.design
  let isWhole = design.weight == (0..<design.count % 4_000).map { $0 ^ design.count }
  say(isWhole ? "begins \(design.count)" : "broken")
  return lego
}

switch mode {
case "save":
  let lego = store()
  while true {
    lego.build(.add)
    try await keeper.save()
    say("\(lego.design.count)")
  }
case "add":
  let lego = store()
  for _ in 0..<(Int(arguments.dropFirst(3).first ?? "") ?? 0) {
    lego.build(.add)
    try? await keeper.save()
  }
  await lego.close()
case "exit":
  let lego = store()
  lego.build(.add)
  exit(0)
case "leave":
  do {
    let lego = store()
    lego.build(.add)
  }
  exit(0)
case "signal", "stubborn":
  let lego = store(mode == "stubborn" ? [Stubborn()] : [])
  let ending = lego.closeOnSignals()
  lego.build(.add)
  say("ready")
  while true { try await Task.sleep(for: .seconds(60)) }
  _ = ending
case "daemon":
  let lego = store()
  let printing = Task.detached { for await design in lego.observe(\.self) { print(design.count) } }
  let ending = EndingSignals.close {
    await lego.close()
    await printing.value
    print("closed")
  }
  lego.build(.add)
  say("ready")
  // The signal handler and the end of the program run at the same time.
  await printing.value
  withExtendedLifetime(ending) {}
default: exit(64)
}

internal import AccessModel
internal import LegoKit
internal import LinuxDevices
internal import Synchronization
internal import TerminalScreen

/// The time in which a terminal shows a store.
struct TopSession: Sendable {
  /// What the session waits for.
  private enum Event: Sendable {
    case terminal(TerminalEvents.Event)
    /// The design is another one.
    case changed
    /// Nothing was typed for a while after so many pieces.
    case pause(Int)
  }

  let lego: Lego<TopBlueprint>
  let input: Int32
  let output: Int32
  let wantsColors: Bool

  /// How long after an escape the rest of a sequence may come.
  private static let longestPause = Duration.milliseconds(50)

  /// Shows the store until somebody quits, and then gives the terminal back.
  ///
  /// - Throws: ``TerminalError`` where the terminal can show no screen, `Errno` where its keys and
  ///   signals cannot be followed.
  func run() async throws {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let signals = try TerminalEvents { continuation.yield(.terminal($0)) }
    ForcedEnd.start()
    let terminal = try Terminal(input: input, output: output, wantsColors: wantsColors)
    try signals.watch(input: input)
    let isTold = Tell()
    let observation = lego.onDesignChange { _ in
      // One that was not drawn yet is drawn as it is then.
      if !isTold.flag.exchange(true, ordering: .acquiringAndReleasing) {
        continuation.yield(.changed)
      }
    }
    defer { observation.cancel() }
    let size = terminal.size
    // ncurses believes COLUMNS and LINES of the environment, which a shell may have from before.
    terminal.resize(to: size)
    lego.build(.resized(size))
    terminal.draw(TopScreen(lego.design).screen)
    // What became different before it was observed is told to nobody.
    guard !lego.design.isDone else { return }
    var decoder = KeyDecoder(terminal.keys)
    var pieces = 0
    for await event in events {
      var isAnew = false
      switch event {
      case .changed:
        isTold.flag.store(false, ordering: .releasing)
      case .pause(let count):
        if count == pieces { take(decoder.pause()) }
        continue
      case .terminal(.typed(let bytes)):
        pieces += 1
        let keys = decoder.decode(bytes)
        isAnew = keys.contains(.character("\u{0C}"))
        take(keys)
        if decoder.isWaiting { waitForRest(pieces, continuation) }
      case .terminal(.stopped):
        terminal.stop()
        isAnew = true
      case .terminal(.continued):
        terminal.takeAgain()
        isAnew = true
      case .terminal(.resized): isAnew = true
      case .terminal(.ended): return
      }
      if isAnew {
        let size = terminal.size
        terminal.resize(to: size)
        lego.build(.resized(size))
      } else if case .terminal = event {
        continue
      }
      let design = lego.design
      guard !design.isDone else { return }
      terminal.draw(TopScreen(design).screen, anew: isAnew)
    }
  }

  private func take(_ keys: [Key]) {
    for key in keys { lego.build(.key(key)) }
  }

  private func waitForRest(_ pieces: Int, _ continuation: AsyncStream<Event>.Continuation) {
    Task {
      await Pause.wait(until: .now.advanced(by: Self.longestPause))
      continuation.yield(.pause(pieces))
    }
  }

  /// Whether a design waits to be drawn.
  private final class Tell: Sendable {
    let flag = Atomic(false)
  }
}

extension TopDesign {
  /// Whether there is nothing more to show: somebody quit, or nothing could be seen at all.
  fileprivate var isDone: Bool { isOver || (failure != nil && !hasLooked) }
}

internal import AccessModel
internal import LegoKit
internal import LinuxDevices
internal import Synchronization
internal import TerminalScreen

/// Shows a store on a terminal and passes the user's keys to it.
struct TopSession: Sendable {
  /// An event that the session handles.
  private enum Event: Sendable {
    case terminal(TerminalEvents.Event)
    /// The design has changed.
    case changed
    /// No input has arrived for a while since the given number of reads.
    case pause(Int)
  }

  let lego: Lego<TopBlueprint>
  let input: Int32
  let output: Int32
  let wantsColors: Bool

  /// The maximum time between an escape character and the rest of its sequence.
  private static let longestPause = Duration.milliseconds(50)

  /// Shows the store until the user quits, then restores the terminal.
  ///
  /// - Throws: `TerminalError` if the terminal cannot show a screen; `Errno` if its input or
  ///   signals cannot be observed.
  func run() async throws {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let signals = try TerminalEvents { continuation.yield(.terminal($0)) }
    ForcedTermination.start()
    let terminal = try Terminal(input: input, output: output, wantsColors: wantsColors)
    try signals.watch(input: input)
    let pending = RedrawFlag()
    let observation = lego.onDesignChange { _ in
      // If a redraw is already pending, it will show this design.
      if !pending.flag.exchange(true, ordering: .acquiringAndReleasing) {
        continuation.yield(.changed)
      }
    }
    defer { observation.cancel() }
    let size = terminal.size
    // ncurses trusts COLUMNS and LINES in the environment, which the shell may have set earlier.
    terminal.resize(to: size)
    lego.build(.resized(size))
    terminal.draw(TopScreen(lego.design).screen)
    // No event reports changes that preceded the observation.
    guard !lego.design.isDone else { return }
    var decoder = KeyDecoder(terminal.keys)
    var pieces = 0
    for await event in events {
      var isAnew = false
      switch event {
      case .changed:
        pending.flag.store(false, ordering: .releasing)
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
      await OneShotTimer.wait(until: .now.advanced(by: Self.longestPause))
      continuation.yield(.pause(pieces))
    }
  }

  /// A flag that indicates whether a redraw is pending.
  private final class RedrawFlag: Sendable {
    let flag = Atomic(false)
  }
}

extension TopDesign {
  /// A Boolean value that indicates whether the user quit, or the first scan failed.
  fileprivate var isDone: Bool { isOver || (failure != nil && !hasScanned) }
}

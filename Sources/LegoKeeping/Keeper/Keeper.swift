internal import LegoKit
internal import Synchronization

/// Keeps one value in one file, for one store.
///
/// ```swift
/// let keeper = Keeper<Settings.Design>("settings")
/// let lego = Lego(.init(), blueprint: Settings(), adaptors: [Keeping(keeper)])
/// lego.build(.volume(7))
/// try await keeper.save()
/// ```
///
/// You need one to save by hand, or to set a limit; else ``Keeping`` makes its own. It may be used
/// from any thread or task.
public final class Keeper<Value: Codable & Equatable & Sendable>: Sendable {
  let core: KeeperCore<Value>

  /// Creates a keeper, which does nothing before a store is made with it.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`: not hidden, without `/`, and at most 100 bytes
  ///     long.
  ///   - history: The versions that the value has had.
  ///   - directory: Where the file lies.
  ///   - saving: When the value is saved.
  ///   - limit: The most bytes of the file. A larger one is neither read nor written.
  public init(
    _ name: String, history: KeptHistory<Value> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic, limit: Int = 64 << 20
  ) {
    core = KeeperCore(name, history: history, in: directory, saving: saving, limit: limit)
  }

  /// The path of the file, or its name while no store has been made.
  public var path: String { core.path }

  /// Saves the value now, with all that was built before the call.
  ///
  /// When it returns, the value, or a later one, is on the disk. Once the store has ended and is
  /// saved, it does nothing.
  ///
  /// - Throws: ``KeepingError``. The file is then what it was.
  public func save() async throws(KeepingError) {
    if core.state.withLock({ $0.hasNoStore }) {
      throw KeepingError(.notOpen, path, "no store uses it yet")
    }
    let error = await core.save(.requested)
    if let error = error ?? core.state.withLock({ $0.finalError }) { throw error }
  }
}

/// When a value is saved.
public struct Saving: Hashable, Sendable {
  /// How long nothing may have changed, and the longest wait; `nil` when nothing is saved by itself.
  let times: Times?

  struct Times: Hashable, Sendable {
    let pause: Duration
    let longest: Duration
  }

  /// By itself: once nothing has changed for half a second, and at the latest after five.
  public static let automatic = Saving.after(.milliseconds(500), atMost: .seconds(5))

  /// Only by ``Keeper/save()``, and at the end of the store.
  public static let whenAsked = Saving(times: nil)

  /// By itself, once things have calmed down.
  ///
  /// The time runs in steps of the pause: a step in which nothing has changed ends the wait. So a
  /// single change is saved after one pause, and the last of several after two at most.
  ///
  /// - Parameters:
  ///   - pause: How long nothing may have changed. Zero saves at once.
  ///   - longest: The longest wait after the first change, however much changes.
  /// - Returns: The rule.
  public static func after(_ pause: Duration, atMost longest: Duration) -> Saving {
    Saving(times: Times(pause: max(pause, .zero), longest: max(longest, pause, .zero)))
  }
}

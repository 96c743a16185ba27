internal import LegoKit
internal import Synchronization

/// Keeps one value of one store in one file.
///
/// ```swift
/// let keeper = Keeper<Settings.Design>("settings")
/// let lego = Lego(.init(), blueprint: Settings(), adaptors: [Keeping(keeper)])
/// lego.build(.volume(7))
/// try await keeper.save()
/// ```
///
/// Create a keeper to save at a time of your choice, or to set a limit. Otherwise ``Keeping``
/// creates one. You can use it from any thread or task.
public final class Keeper<Value: Codable & Equatable & Sendable>: Sendable {
  let core: KeeperCore<Value>

  /// Creates a keeper.
  ///
  /// It does nothing until a store is created with it.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`: not hidden, without `/`, and at most 100 bytes
  ///     long.
  ///   - history: The versions of the value.
  ///   - directory: The directory of the file.
  ///   - saving: When to save the value.
  ///   - limit: The maximum size of the file in bytes. A larger file is neither read nor written.
  public init(
    _ name: String, history: KeptHistory<Value> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic, limit: Int = 64 << 20
  ) {
    core = KeeperCore(name, history: history, in: directory, saving: saving, limit: limit)
  }

  /// The path of the file, or its name until a store is created.
  public var path: String { core.path }

  /// Saves the value now, with all changes that were built before the call.
  ///
  /// When this returns, the value or a later one is on the disk. After the store has ended and is
  /// saved, the call has no effect.
  ///
  /// - Throws: ``KeepingError``. The file is then unchanged.
  public func save() async throws(KeepingError) {
    if core.state.withLock({ $0.hasNoStore }) {
      throw KeepingError(.notOpen, path, "no store uses it yet")
    }
    let error = await core.save(.requested)
    if let error = error ?? core.state.withLock({ $0.finalError }) { throw error }
  }
}

/// The times at which a value is saved.
public struct Saving: Hashable, Sendable {
  /// The time without changes before a save, and the maximum delay; `nil` if nothing is saved
  /// automatically.
  let times: Times?

  struct Times: Hashable, Sendable {
    let pause: Duration
    let longest: Duration
  }

  /// Saves automatically: when nothing has changed for half a second, and after five seconds at the
  /// latest.
  public static let automatic = Saving.after(.milliseconds(500), atMost: .seconds(5))

  /// Saves only in ``Keeper/save()``, and at the end of the store.
  public static let whenAsked = Saving(times: nil)

  /// Saves automatically when nothing has changed for a time.
  ///
  /// Time is measured in steps of `pause`, and the first step without a change triggers the save. A
  /// single change is therefore saved after one pause, and the last of several changes after at
  /// most two.
  ///
  /// - Parameters:
  ///   - pause: The time without changes. With zero, every change is saved immediately.
  ///   - longest: The maximum delay after the first change, even if further changes follow.
  /// - Returns: The rule.
  public static func after(_ pause: Duration, atMost longest: Duration) -> Saving {
    Saving(times: Times(pause: max(pause, .zero), longest: max(longest, pause, .zero)))
  }
}

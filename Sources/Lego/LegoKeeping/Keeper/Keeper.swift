internal import LegoKit
internal import Synchronization

/// Saves a value of a store in a file, and restores it when the store is created.
///
/// ```swift
/// let keeper = Keeper<Settings.Design>("settings")
/// let lego = Lego(.init(), blueprint: Settings(), adaptors: [Keeping(keeper)])
/// lego.build(.volume(7))
/// try await keeper.save()
/// ```
///
/// Create a keeper to save at a time of your choice, or to set a size limit. Otherwise, ``Keeping``
/// creates one for you. A keeper has only one store. You can use a keeper from any thread or task.
public final class Keeper<Value: Codable & Equatable & Sendable>: Sendable {
  let core: KeeperCore<Value>

  /// Creates a keeper.
  ///
  /// The keeper does nothing until a store is created with it.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`. It must not be empty, begin with a period,
  ///     contain a slash or a null character, or be longer than 100 bytes.
  ///   - history: The versions of the value.
  ///   - directory: The directory that contains the file.
  ///   - saving: The rule that determines when the value is saved.
  ///   - limit: The maximum size of the file in bytes. A larger value is not saved, and a larger
  ///     file is set aside as unreadable.
  public init(
    _ name: String, history: KeptHistory<Value> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic, limit: Int = 64 << 20
  ) {
    core = KeeperCore(name, history: history, in: directory, saving: saving, limit: limit)
  }

  /// The path of the file, or its name until the path is known.
  public var path: String { core.path }

  /// Saves the current value, including all changes that were built before the call.
  ///
  /// When the method returns, that value or a newer value is on disk. If this program has changed
  /// nothing since it last read or wrote the file, the call does not replace a value that another
  /// program has saved. If the store has ended and its last value has been saved, the call has no
  /// effect.
  ///
  /// - Throws: A ``KeepingError`` if the value cannot be saved.
  public func save() async throws(KeepingError) {
    if core.state.withLock({ $0.hasNoStore }) {
      throw KeepingError(.notOpen, path, "no store uses it yet")
    }
    let error = await core.save(.requested)
    if let error = error ?? core.state.withLock({ $0.finalError }) { throw error }
  }
}

/// A rule that determines when a value is saved.
public struct Saving: Hashable, Sendable {
  /// The delays before a save, or `nil` if changes are not saved automatically.
  let times: Times?

  struct Times: Hashable, Sendable {
    let pause: Duration
    let longest: Duration
  }

  /// Saves when nothing has changed for half a second, and at the latest five seconds after the
  /// first change.
  public static let automatic = Saving.after(.milliseconds(500), atMost: .seconds(5))

  /// Saves only when ``Keeper/save()`` is called and when the store ends.
  ///
  /// A value that was restored from an older version of the format is always saved immediately.
  public static let whenAsked = Saving(times: nil)

  /// Returns a rule that saves when nothing has changed for a given time.
  ///
  /// Time is divided into steps of `pause`, and the first step without a change triggers the save.
  /// A single change is therefore saved after one step, and the last of several changes after at
  /// most two steps.
  ///
  /// - Parameters:
  ///   - pause: The time without changes. If it is zero, changes are saved immediately.
  ///   - longest: The maximum delay after the first change, even if further changes follow.
  /// - Returns: The rule.
  public static func after(_ pause: Duration, atMost longest: Duration) -> Saving {
    Saving(times: Times(pause: max(pause, .zero), longest: max(longest, pause, .zero)))
  }
}

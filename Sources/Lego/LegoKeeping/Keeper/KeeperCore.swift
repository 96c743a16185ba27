internal import Dispatch
internal import JSONText
internal import LegoKit
internal import Synchronization

/// The implementation of a keeper.
///
/// The file is accessed only on the queue, except when the saved value is restored, which happens on
/// the thread that creates the store.
final class KeeperCore<Value: Codable & Equatable & Sendable>: Sendable {
  let format: KeptFormat<Value>
  let saving: Saving
  let queue: DispatchQueue
  let file: Mutex<KeptFile>
  private let shownPath: KeptPath
  let state = Mutex(KeeperState<Value>())
  let watch = Mutex<DirectoryWatch?>(nil)

  init(
    _ name: String, history: KeptHistory<Value>, in directory: StateDirectory, saving: Saving,
    limit: Int
  ) {
    format = KeptFormat(history: history)
    self.saving = saving
    queue = DispatchQueue(label: "keeper", qos: .utility)
    shownPath = KeptPath(name)
    file = Mutex(KeptFile(name, in: directory, limit: max(0, limit), showing: shownPath))
  }

  /// The path of the file, or its name until the path is known.
  var path: String { shownPath.text }

  // MARK: - The beginning

  /// Restores the saved value while the store is being created.
  ///
  /// - Returns: `true` if the keeper accepts the store; `false` if it already has one.
  func begin(_ value: inout Value) -> Bool {
    let sink = Contractors().problemSink
    guard state.withLock({ [value] in $0.begin(with: value, sink: sink) }) else {
      sink.write(
        "\(JSONQuotes.escaped(path, limit: 4_096)): a keeper has one store; another store is not saved"
      )
      return false
    }
    do throws(KeepingError) {
      let found = try file.withLock { (file) throws(KeepingError) in try file.readAtStart() }
      guard let found else { return true }
      switch format.read(found.content) {
      case .value(let restored, let isOlder):
        file.withLock { $0.markKnown(found) }
        state.withLock { state in
          (state.base, state.mustWrite) = (restored, isOlder)
        }
        value = restored
      case .newer(let version): refuse(version)
      case .unreadable(let reason): try setAside(found, .unreadable, because: reason)
      }
    } catch { report(error) }
    return true
  }

  /// Starts saving the value of a store.
  func connect(_ connection: StoreConnection<Value>) {
    let contractors = Contractors()
    let (clock, sink) = (contractors.clock, contractors.problemSink)
    let mustWrite = state.withLock { state in
      (state.phase, state.clock, state.sink) = (.connected(connection), clock, sink)
      return state.mustWrite
    }
    KeeperRegistry.shared.add(self)
    observeNextChange()
    if connection.arrive != nil { queue.async { self.startWatching() } }
    if mustWrite { queue.async { _ = self.perform(.scheduled) } }
  }

  // MARK: - Changes

  /// Asks the store to notify the keeper of its next change.
  func observeNextChange() {
    guard let connection = state.withLock({ $0.beginObserving() }) else { return }
    connection.onNextChange { self.recordChange() }
  }

  private func recordChange() {
    let isAutomatic = saving.times != nil
    guard state.withLock({ $0.recordChange(isAutomatic: isAutomatic) }) else { return }
    let task = Task.detached(name: "keeper", priority: .utility) { await self.debounce() }
    state.withLock { if $0.isDebouncing { $0.debounceTask = task } }
  }

  private func debounce() async {
    guard let times = saving.times else { return }
    let clock: any Clock<Duration> = state.withLock { $0.clock }
    await debounce(times, on: clock)
  }

  private func debounce<C: Clock<Duration>>(_ times: Saving.Times, on clock: C) async {
    repeat {
      let end = clock.now.advanced(by: times.longest)
      var isQuiet = false
      while !isQuiet, clock.now < end, !Task.isCancelled {
        state.withLock { $0.hasChanged = false }
        observeNextChange()
        let due = min(clock.now.advanced(by: times.pause), end)
        // The sleep is cancelled when the store ends.
        try? await clock.sleep(until: due, tolerance: nil)
        isQuiet = state.withLock { !$0.hasChanged }
      }
      _ = await save(.scheduled)
    } while !state.withLock { $0.endDebouncing() }
  }

  // MARK: - The end

  /// Keeps the last value of a store that has ended, and stops watching the file.
  ///
  /// - Returns: A closure that saves the value.
  func end(_ value: Value) -> @Sendable () async -> Void {
    let debounceTask = state.withLock { state in
      state.phase = .ended(value)
      return state.debounceTask.take()
    }
    debounceTask?.cancel()
    watch.withLock { $0.take() }?.stop()
    return { _ = await self.save(.scheduled) }
  }

  /// Closes the file after the last value has been saved or lost.
  func finish() {
    let retryTask = state.withLock { state -> Task<Void, Never>? in
      guard case .ended = state.phase else { return nil }
      state.phase = .finished
      return state.retryTask.take()
    }
    retryTask?.cancel()
    file.withLock { $0.close() }
    KeeperRegistry.shared.remove(self)
  }

  // MARK: - Reports

  /// Reports an error, unless it equals the last reported error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - then: Text to append to the error, such as its consequence.
  ///   - isLast: Pass `true` if no further attempt follows. The error is then reported even if it
  ///     equals the last reported error.
  func report(_ error: KeepingError, then: String = "", atLast isLast: Bool = false) {
    let sink = state.withLock { state -> LogSink? in
      if state.reported == error, !isLast { return nil }
      state.reported = error
      return state.sink
    }
    sink?.write("\(error)\(then)")
  }

  /// Stops saving, so that a file from a newer version of the program stays unchanged.
  func refuse(_ version: Int) {
    let error = KeepingError(
      .newerVersion, path,
      "a newer program wrote version \(version); the file stays unchanged, and nothing is saved"
    )
    state.withLock { $0.writeBlock = error }
    report(error)
  }

  /// Sets a file aside, and reports its new name.
  func setAside(
    _ found: FileSnapshot, _ why: SetAsideReason, because reason: String
  ) throws(KeepingError) {
    let name = try file.withLock { (file) throws(KeepingError) in try file.setAside(found, why) }
    guard let name else { return }
    let sink = state.withLock { $0.sink }
    sink.write("\(JSONQuotes.escaped(path, limit: 4_096)): \(reason); set aside as \(name)")
  }
}

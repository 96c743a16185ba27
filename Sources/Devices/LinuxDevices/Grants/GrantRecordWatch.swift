internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Reports when a record of grants is written (inotify(7)).
package enum GrantRecordWatch {
  /// Starts to report changes to the records in some folders.
  ///
  /// A thread waits for changes until the stream ends.
  ///
  /// - Parameter folders: The folders. A folder that does not exist has no changes.
  /// - Returns: A stream with an element after one or more changes; `nil` if nothing can be
  ///   watched.
  package static func changes(in folders: [GrantFolder]) -> AsyncStream<Void>? {
    guard let poll = try? EventPoll(), let notifier = try? FileNotifier.open() else { return nil }
    let mask = UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_CLOSE_WRITE)
    let watched = folders.filter { folder in
      (try? FileNotifier(descriptor: notifier.number).add(folder.path, mask)) != nil
    }
    guard !watched.isEmpty, (try? poll.add(notifier.number, CLINUX_READABLE, as: 1)) != nil else {
      return nil
    }
    let source = Source(poll, notifier)
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in source.end() }
    do throws(Errno) {
      try DedicatedThread.run {
        source.run { continuation.yield() }
        continuation.finish()
      }
    } catch {
      return nil
    }
    return stream
  }

  /// The descriptors that the thread waits on.
  private final class Source: Sendable {
    private let poll: EventPoll
    private let notifier: OwnedDescriptor
    private let isEnded = Atomic(false)

    init(_ poll: EventPoll, _ notifier: consuming OwnedDescriptor) {
      self.poll = poll
      self.notifier = notifier
    }

    func end() {
      isEnded.store(true, ordering: .releasing)
      poll.wake()
    }

    func run(_ body: () -> Void) {
      func take(_ id: UInt64, _ events: UInt32) {
        FileNotifier(descriptor: notifier.number).drain(.all, where: { _, _ in true }, { _ in })
        body()
      }
      var room = EventPoll.room
      while !isEnded.load(ordering: .acquiring) { poll.wait(&room, {}, take) }
    }
  }
}

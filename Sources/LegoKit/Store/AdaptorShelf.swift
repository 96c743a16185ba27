internal import Synchronization

/// A store's adaptors.
///
/// Adaptors are ordinary classes, so only one thread may call them at a time. The lock proves
/// that to the compiler and is never waited for: only the one thread that tells changes takes it.
struct AdaptorShelf<B: Blueprint>: ~Copyable, Sendable {
  private let adaptors: Mutex<[Adaptor<B>]>
  let count: Int

  init(_ adaptors: sending [Adaptor<B>]) {
    count = adaptors.count
    self.adaptors = Mutex(adaptors)
  }

  borrowing func connect(_ index: Int, _ design: B.Design, on change: B.Change)
    -> AnyPublisher<B.Change, Never>
  {
    adaptors.withLock { $0[index].connect(design, on: change) }
  }
}

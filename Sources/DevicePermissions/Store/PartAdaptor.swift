public import LegoKit

/// Answers the requests of one part of a store's blueprint, wherever the part stands in it.
///
/// A subclass says what answers a request; this class finds the part's changes among the store's
/// and puts the answers back.
public class PartAdaptor<B: Blueprint, Part: Blueprint>: Adaptor<B> {
  private let extract: @Sendable (B.Change) -> Part.Change?
  private let embed: @Sendable (Part.Change) -> B.Change
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor for a store whose changes hold those of the part.
  ///
  /// - Parameters:
  ///   - extract: The part's change in a change, if it is one.
  ///   - embed: The change that holds a change of the part.
  ///   - executor: Where the work is done; `nil` for the system's pool of threads.
  public init(
    extract: @escaping @Sendable (B.Change) -> Part.Change?,
    embed: @escaping @Sendable (Part.Change) -> B.Change,
    executor: (any TaskExecutor)? = nil
  ) {
    self.extract = extract
    self.embed = embed
    self.executor = executor
  }

  /// The work that answers a request of the part; `nil` for a change that asks nothing.
  func work(for request: Part.Change) -> (@Sendable () async -> Part.Change)? {
    nil
  }

  override public final func connect(
    _ design: B.Design, on change: B.Change
  ) -> AnyPublisher<B.Change, Never> {
    guard let work = extract(change).flatMap(work(for:)) else { return .empty }
    let embed = embed
    let executor = executor
    return Future { promise in
      Task(executorPreference: executor) { promise(.success(embed(await work()))) }
    }
    .eraseToAnyPublisher()
  }
}

import LegoPublishers
import Testing

/// Swallows what is printed.
struct Silence: TextOutputStream, Sendable {
  func write(_ string: String) {}
}

/// An operator in a form that passes on what comes, so that the same promises hold for all.
struct Relay: CustomTestStringConvertible, Sendable {
  typealias Numbers = AnyPublisher<Int, Failed>

  let testDescription: String
  /// Whether it sends every value, however late it is asked for, and not only the latest ones.
  var keepsAll = true
  private let body: @Sendable (Numbers) -> Numbers

  init<P: Publisher<Int, Failed>>(
    _ name: String, keepsAll: Bool = true, _ body: @escaping @Sendable (Numbers) -> P
  ) {
    testDescription = name
    self.keepsAll = keepsAll
    self.body = { body($0).eraseToAnyPublisher() }
  }

  func callAsFunction(_ upstream: some Publisher<Int, Failed>) -> Numbers {
    body(upstream.eraseToAnyPublisher())
  }

  static let all: [Relay] =
    values + several + ends + onSchedulers

  private static let values = [
    Relay("map") { $0.map { $0 } },
    Relay("compactMap") { $0.compactMap { Optional($0) } },
    Relay("filter") { $0.filter { $0 != 4_000_000 } },
    Relay("removeDuplicates") { $0.removeDuplicates() },
    Relay("handleEvents") { $0.handleEvents(receiveOutput: { _ in }, receiveCancel: {}) },
    Relay("print") { $0.print(to: Silence()) },
    Relay("breakpoint") { $0.breakpoint(receiveOutput: { $0 == 4_000_000 }).breakpoint() },
    Relay("prefix") { $0.prefix(1_000_000) },
    Relay("prefix(while:)") { $0.prefix { $0 != 4_000_000 } },
    Relay("dropFirst") { $0.dropFirst(0) },
    Relay("drop(while:)") { $0.drop { $0 == 4_000_000 } },
    Relay("scan") { $0.scan(0) { $1 } },
    Relay("tryMap") { $0.tryMap { $0 }.mapError { _ in Failed() } },
    Relay("share", keepsAll: false) { $0.share() },
  ]

  private static let several = [
    Relay("flatMap") { $0.flatMap { Just($0) } },
    Relay("flatMap, one at a time") { $0.flatMap(maxPublishers: .max(1)) { Just($0) } },
    Relay("switchToLatest", keepsAll: false) { $0.map { Just($0) }.switchToLatest() },
    Relay("merge") { $0.merge(with: Empty()) },
    Relay("merge of four") { $0.merge(with: Empty(), Empty(), Empty()) },
    Relay("combineLatest", keepsAll: false) { upstream in
      Just(0).setFailureType(to: Failed.self).combineLatest(upstream) { _, value in value }
    },
    Relay("combineLatest of four", keepsAll: false) { upstream in
      let constant = Just(0).setFailureType(to: Failed.self)
      return constant.combineLatest(constant, constant, upstream) { _, _, _, value in value }
    },
    Relay("prepend") { $0.prepend(Empty()) },
    Relay("append") { $0.append(Empty()) },
    Relay("collect(_:)") { $0.collect(1).map { $0[0] } },
    Relay("buffer") { $0.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest) },
    Relay("deferred") { upstream in Deferred { upstream } },
  ]

  private static let ends = [
    Relay("catch") { $0.catch { Fail<Int, Failed>(error: $0) } },
    Relay("tryCatch") {
      $0.tryCatch { error -> Empty<Int, Failed> in throw error }.mapError { _ in Failed() }
    },
    Relay("retry") { $0.retry(0) },
    Relay("mapError") { $0.mapError { $0 } },
    Relay("replaceError, setFailureType") { upstream in
      // The failure goes round the operator that swallows it.
      upstream.catch { _ in Empty<Int, Never>() }.setFailureType(to: Failed.self)
        .append(upstream.filter { _ in false })
    },
  ]

  private static let onSchedulers = [
    Relay("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    Relay("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    Relay("delay") { $0.delay(for: .seconds(1), scheduler: ImmediateScheduler.shared) },
    Relay("timeout") { $0.timeout(.seconds(1), scheduler: TestClock()) },
    Relay("debounce", keepsAll: false) {
      $0.debounce(for: .seconds(1), scheduler: ImmediateScheduler.shared)
    },
    Relay("throttle", keepsAll: false) {
      $0.throttle(for: .seconds(0), scheduler: ImmediateScheduler.shared, latest: true)
    },
  ]
}

package import FoundationEssentials

/// The versions that a kept value has had, and how each becomes the next.
///
/// ```swift
/// KeptHistory(FirstSettings.self)
///   .then(Settings.self) { old in Settings(name: old.title, volume: 5) }
/// ```
///
/// The first type is version 1 unless told otherwise, and each further one counts up. A file says
/// its version. An older one is read as the type that it was, and goes through all later steps.
public struct KeptHistory<Value: Codable & Sendable>: Sendable {
  package typealias Reader = @Sendable (JSONDecoder, Data) throws -> Value

  package let first: Int
  package let readers: [Reader]

  /// Begins with a type.
  ///
  /// - Parameters:
  ///   - type: The oldest type that can still be read, which may be today's.
  ///   - version: Its version, when it is not the first any more.
  public init(_ type: Value.Type = Value.self, version: Int = 1) {
    self.init(first: version, readers: [Self.read])
  }

  private init(first: Int, readers: [Reader]) {
    self.first = first
    self.readers = readers
  }

  /// Adds the next version.
  ///
  /// - Parameters:
  ///   - type: Its type.
  ///   - migrate: Makes a value of it from one of the version before. When it throws, the file is
  ///     set aside and reported.
  /// - Returns: The longer history.
  public func then<Next: Codable & Sendable>(
    _ type: Next.Type = Next.self, _ migrate: @escaping @Sendable (Value) throws -> Next
  ) -> KeptHistory<Next> {
    var readers = readers.map { read -> KeptHistory<Next>.Reader in
      { try migrate(read($0, $1)) }
    }
    readers.append(KeptHistory<Next>.read)
    return KeptHistory<Next>(first: first, readers: readers)
  }

  /// The version that is written.
  public var version: Int { first + readers.count - 1 }

  private static var read: Reader {
    { decoder, bytes in try decoder.decode(KeptDocument<Value>.self, from: bytes).value }
  }
}

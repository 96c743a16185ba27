/// Makes a stream that yields once a command that has no end of its own is to end.
///
/// - Parameter isReadUntilThen: Whether that is also when nobody reads its output any more.
/// - Returns: The stream.
public typealias ProgramEnding = @Sendable (_ isReadUntilThen: Bool) -> AsyncStream<Void>

/// Makes a stream that yields when a command that does not end by itself should end.
///
/// - Parameter isReadUntilThen: `true` if the command should also end when its output is closed.
/// - Returns: The stream.
public typealias ProgramEnding = @Sendable (_ isReadUntilThen: Bool) -> AsyncStream<Void>

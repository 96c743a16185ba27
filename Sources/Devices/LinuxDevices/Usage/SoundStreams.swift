/// The streams of a sound device; each one serves one program.
struct SoundStreams: Hashable, Sendable {
  /// The open streams.
  var open: [SoundStream] = []
  /// The number of closed streams.
  var closed = 0
}

/// The streams of a sound device, of which each serves one program.
struct SoundStreams: Hashable, Sendable {
  /// Those that are open.
  var open: [SoundStream] = []
  /// How many are closed.
  var closed = 0
}

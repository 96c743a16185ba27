internal import AccessModel

/// An open PCM stream, from `/proc/asound/card*/pcm*/sub*/status`.
struct SoundStream: Hashable, Sendable {
  /// The thread that opened the stream, in this process's PID namespace; 0 if it is in another one.
  var owner: Int32
  /// A Boolean value that indicates whether data flows.
  var isRunning: Bool
  /// The time when data began to flow, in seconds of the stream's clock; `nil` if it has not.
  var triggered: Int64?

  /// The status of a substream.
  enum Status: Hashable, Sendable {
    /// No process has the substream open.
    case closed
    case open(SoundStream)
  }

  /// Parses the status file of a substream; returns `nil` if it is malformed.
  static func status(parsing bytes: [UInt8]) -> Status? {
    var stream = SoundStream(owner: 0, isRunning: false)
    var hasState = false
    for line in bytes.split(separator: ByteScanner.newline).prefix(64) {
      if !hasState, line.elementsEqual("closed".utf8) { return .closed }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = String(decoding: line[..<colon].prefix(32), as: UTF8.self).filter { $0 != " " }
      let words = ByteScanner.words(line[(colon + 1)...])
      guard let word = words.first else { continue }
      switch key {
      case "state":
        hasState = true
        stream.isRunning = word.elementsEqual("RUNNING".utf8) || word.elementsEqual("DRAINING".utf8)
      case "owner_pid":
        guard let number = ByteScanner.number(word).flatMap({ Int32(exactly: $0) }) else {
          return nil
        }
        stream.owner = number
      case "trigger_time":
        let seconds = word.prefix { $0 != UInt8(ascii: ".") }
        stream.triggered = Int64(String(decoding: seconds.prefix(20), as: UTF8.self))
      default: continue
      }
    }
    return hasState ? .open(stream) : nil
  }

  /// Returns the time when data began to flow, in seconds since the epoch.
  ///
  /// A program selects the clock of its stream, which is either the real-time clock or a clock that
  /// starts at boot.
  ///
  /// - Parameters:
  ///   - now: The current time on the real-time clock.
  ///   - sinceBoot: The current time on the clock that starts at boot.
  /// - Returns: The time, or `nil` if no data flows or the value fits neither clock.
  func streamingSince(now: Int64, sinceBoot: Int64) -> Int64? {
    guard isRunning, let triggered, triggered > 0 else { return nil }
    if triggered <= sinceBoot { return now - (sinceBoot - triggered) }
    return triggered <= now ? triggered : nil
  }
}

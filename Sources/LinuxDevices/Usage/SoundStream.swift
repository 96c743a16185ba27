internal import AccessModel

/// An open stream of a sound card, from `/proc/asound/card*/pcm*/sub*/status`.
struct SoundStream: Hashable, Sendable {
  /// The thread that opened it, in the reader's own PID namespace; 0 for one outside of it.
  var owner: Int32
  /// Whether data flows.
  var isRunning: Bool
  /// When that began, by the clock of the stream in seconds; `nil` where it never did.
  var triggered: Int64?

  /// What the file of one substream says.
  enum Status: Hashable, Sendable {
    /// Nobody has it open.
    case closed
    case open(SoundStream)
  }

  /// Reads the file of a substream; `nil` when it does not have the form.
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

  /// When data began to flow, in seconds since the epoch.
  ///
  /// Programs choose the clock of their stream: that of the day, or one that began at boot.
  ///
  /// - Parameters:
  ///   - now: The time of day.
  ///   - sinceBoot: The same moment on the clock that began at boot.
  /// - Returns: `nil` where no data flows, or no clock fits.
  func streamingSince(now: Int64, sinceBoot: Int64) -> Int64? {
    guard isRunning, let triggered, triggered > 0 else { return nil }
    if triggered <= sinceBoot { return now - (sinceBoot - triggered) }
    return triggered <= now ? triggered : nil
  }
}

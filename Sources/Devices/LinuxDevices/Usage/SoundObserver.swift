internal import AccessModel
internal import Glibc

/// Finds the processes that have PCM streams open, which ALSA shows to every user.
struct SoundObserver {
  let proc: String
  let clock: MachineClock

  /// Returns the streams of a device.
  ///
  /// - Returns: The streams, or `nil` if the driver does not report them, as for a device that is
  ///   not a PCM device.
  func streams(of device: DeviceFacts?) -> SoundStreams? {
    guard let folder = folder(of: device), let names = try? Directory.names(in: folder) else {
      return nil
    }
    let substreams = names.filter { $0.hasPrefix("sub") && $0.utf8.count > 3 }
    guard !substreams.isEmpty else { return nil }
    var streams = SoundStreams()
    for name in substreams.sorted() {
      let path = "\(folder)/\(name)/status"
      guard let file = try? BoundedFile.read(path, limit: 1 << 16),
        let status = SoundStream.status(parsing: file.bytes)
      else { return nil }
      switch status {
      case .open(let stream): streams.open.append(stream)
      case .closed: streams.closed += 1
      }
    }
    return streams
  }

  /// Returns the folder of a device, such as `asound/card1/pcm0c` for `pcmC1D0c`.
  private func folder(of device: DeviceFacts?) -> String? {
    guard let device, device.subsystem == "sound",
      let place = SoundPlace(kernelName: device.kernelName)
    else { return nil }
    return "\(proc)/asound/card\(place.card)/pcm\(place.device)\(place.isCapture ? "c" : "p")"
  }

  /// Adds the driver's report to the holders that were found by inspecting processes.
  ///
  /// - Parameters:
  ///   - streams: The current streams of the device.
  ///   - before: The streams before the processes were inspected. If a stream was opened since
  ///     then, its holder may have been inspected too early.
  ///   - use: The use of the device, with the holders that were found.
  ///   - unseen: The processes that could not be inspected.
  func add(
    _ streams: SoundStreams, before: SoundStreams, to use: inout DeviceUse, unseen: Set<Int32>
  ) {
    use.isToldByDriver = true
    use.freeStreams = streams.closed
    var processes: [Int32: HoldingProcess] = [:]
    for stream in streams.open {
      let owner = stream.owner > 0 ? process(ofThread: stream.owner) : nil
      if let owner, let index = use.holders.firstIndex(where: { $0.process.id == owner }) {
        use.holders[index].hold.add(stream, clock)
      } else if let owner, unseen.contains(owner), let process = process(owner, processes),
        !isLater(process, than: stream)
      {
        processes[owner] = process
        var hold = DeviceHold(descriptors: 0, access: nil)
        hold.add(stream, clock)
        use.holders.append(DeviceHolder(process, hold))
      } else if use.holders.isEmpty, before.open.contains(where: { $0.owner == stream.owner }) {
        // The process that opened the stream has ended or is not visible, and another process holds
        // it.
        use.unnamedHolders += 1
        if !stream.isRunning { use.idleUnnamedHolders += 1 }
      }
    }
  }

  /// Returns whether a process has reused the ID of a process that opened a stream.
  ///
  /// If so, it started after data began to flow.
  private func isLater(_ process: HoldingProcess, than stream: SoundStream) -> Bool {
    let since = stream.streamingSince(now: clock.now, sinceBoot: clock.sinceBoot)
    guard let started = process.started, let since else { return false }
    // Both times are rounded to seconds, and come from two clocks.
    return started > since + 1
  }

  /// Returns the process of a thread, because ALSA reports the thread that opened the device.
  private func process(ofThread number: Int32) -> Int32? {
    guard let file = try? BoundedFile.read("\(proc)/\(number)/status", limit: 1 << 20) else {
      return nil
    }
    let key = Array("Tgid:".utf8)
    let line = file.bytes.split(separator: ByteScanner.newline).first { $0.starts(with: key) }
    return line.flatMap { ByteScanner.words($0.dropFirst(key.count)).first }
      .flatMap(ByteScanner.number).flatMap { Int32(exactly: $0) }
  }

  private func process(
    _ number: Int32, _ known: [Int32: HoldingProcess]
  ) -> HoldingProcess? {
    if let process = known[number] { return process }
    guard let folder = try? OpenDirectory("\(proc)/\(number)") else { return nil }
    return try? HolderObserver(clock: clock).process(number, in: folder.descriptor)
  }
}

extension DeviceHold {
  /// Adds a stream that the holder has open.
  fileprivate mutating func add(_ stream: SoundStream, _ clock: MachineClock) {
    if stream.isRunning { activity = .streaming }
    if activity == nil { activity = .idle }
    let since = stream.streamingSince(now: clock.now, sinceBoot: clock.sinceBoot)
    streamingSince = [streamingSince, since].compactMap(\.self).min()
  }
}

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

/// The streams of a sound device; each one serves one program.
struct SoundStreams: Hashable, Sendable {
  /// The open streams.
  var open: [SoundStream] = []
  /// The number of closed streams.
  var closed = 0
}

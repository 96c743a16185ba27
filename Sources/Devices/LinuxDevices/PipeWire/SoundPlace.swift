/// The location of an ALSA PCM device according to its name.
///
/// For example, `pcmC1D0c` captures on card 1, device 0.
struct SoundPlace: Hashable, Sendable {
  var card: UInt32
  var device: UInt32
  var isCapture: Bool

  /// Parses a kernel name; returns `nil` if the device is not a PCM device.
  init?(kernelName: String) {
    guard kernelName.hasPrefix("pcmC"), kernelName.utf8.count <= 16 else { return nil }
    let parts = kernelName.dropFirst(4).split(separator: "D", maxSplits: 1)
    guard parts.count == 2, let card = UInt32(parts[0]), let side = parts[1].last,
      side == "c" || side == "p", let device = UInt32(parts[1].dropLast())
    else { return nil }
    self.card = card
    self.device = device
    isCapture = side == "c"
  }
}

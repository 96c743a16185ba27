/// Where a PCM device of ALSA is, from its name: `pcmC1D0c` captures on card 1, device 0.
struct SoundPlace: Hashable, Sendable {
  var card: UInt32
  var device: UInt32
  var isCapture: Bool

  /// Reads the kernel's name; `nil` for that of another device.
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

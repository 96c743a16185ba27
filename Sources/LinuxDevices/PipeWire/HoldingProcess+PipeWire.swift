internal import AccessModel

extension HoldingProcess {
  /// Whether it is the daemon of PipeWire itself.
  var isPipeWire: Bool {
    (executable?.split(separator: "/").last.map(String.init) ?? name) == "pipewire"
  }
}

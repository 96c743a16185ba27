/// How udev's daemon is started and restarted, with systemd as the first process and without it, as in
/// some WSL distributions.
struct UdevDaemonStart {
  /// Whether systemd runs (sd_booted(3)); `nil` when that is unknown.
  let hasSystemd: Bool?

  private static let daemon = "/lib/systemd/systemd-udevd --daemon"

  /// Starts it.
  var start: [String] {
    hasSystemd == false ? [Self.daemon] : ["systemctl start systemd-udevd.service"]
  }

  /// Ends it, and starts it again.
  var restart: [String] {
    hasSystemd == false
      ? ["udevadm control --exit", Self.daemon] : ["systemctl restart systemd-udevd.service"]
  }
}

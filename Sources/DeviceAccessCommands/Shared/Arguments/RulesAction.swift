/// What can happen to a device, as udev calls it.
enum RulesAction {
  static let words = [
    "add", "change", "remove", "move", "online", "offline", "bind", "unbind",
  ]
}

/// The actions of udev events.
enum RulesAction {
  static let words = [
    "add", "change", "remove", "move", "online", "offline", "bind", "unbind",
  ]
}

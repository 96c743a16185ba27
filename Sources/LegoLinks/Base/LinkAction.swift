/// The action of this program whose parameter is a link.
enum LinkAction {
  static let name = "open-link"
}

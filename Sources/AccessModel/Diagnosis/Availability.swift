/// Whether there is anything to have permission for.
public enum Availability: String, Hashable, Sendable, Codable {
  case present
  case absent
  case busy
}

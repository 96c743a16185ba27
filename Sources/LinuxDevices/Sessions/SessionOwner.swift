/// Whose session logind is asked about.
enum SessionOwner: Hashable, Sendable {
  case caller
  case user
  case process(Int32)
  case nobody
}

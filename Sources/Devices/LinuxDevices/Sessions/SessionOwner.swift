/// The owner of the session that logind is queried about.
enum SessionOwner: Hashable, Sendable {
  case caller
  case user
  case process(Int32)
  case nobody
}

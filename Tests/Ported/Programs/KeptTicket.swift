import LegoKit
import LegoSecrets

/// A value that is kept where Linux keeps secrets, from a program that keeps it in a keychain.
struct Ticket: Codable, Equatable {
  let stop: String
  let zones: Int
}

struct TicketPocket {
  @StoredSecret<Ticket>("ticket") var ticket

  /// Buys a ticket, and says what was there before and what is there now.
  func buy(_ new: Ticket) async throws -> [Ticket?] {
    let before = try await ticket.read()?.value
    try await ticket.write(new)
    let after = try await ticket.read()?.value
    return [before, after]
  }
}

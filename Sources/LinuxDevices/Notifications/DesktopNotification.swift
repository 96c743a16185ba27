package import AccessModel
internal import MessageBus

/// What a desktop shows for a moment (`org.freedesktop.Notifications`).
package struct DesktopNotification: Hashable, Sendable {
  /// The program that has it shown.
  package var program: String
  /// The name of an icon in the user's theme.
  package var icon: String
  /// One line of plain text.
  package var summary: String
  /// More text, which services may read as markup.
  package var body: String
  /// What it is about, which nobody sees: what is told of that later takes its place.
  package var subject: String

  package init(program: String, icon: String, summary: String, body: String, subject: String) {
    self.subject = subject
    self.program = program
    self.icon = icon
    self.summary = summary
    self.body = body
  }

  /// A text as the interface of notifications takes it.
  private static let longestText = 4096

  /// Has it shown, by the service that runs on the user's own bus; none is started for it.
  ///
  /// Waits at most two seconds for an answer.
  ///
  /// - Parameter number: The number of the notification whose place it takes; 0 for none. One that is gone
  ///   is as none.
  /// - Returns: Its number; 0 where the service tells none.
  /// - Throws: `ENXIO` or `EHOSTUNREACH` where no service runs, `ETIMEDOUT` where it does not answer,
  ///   `ELIBACC` without libsystemd, and what keeps the bus from being reached.
  @concurrent
  package func show(replacing number: UInt32 = 0) async throws(Errno) -> UInt32 {
    // No buttons, and nothing else to tell; for as long as the service sees fit.
    let call = BusCall(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.Notifications", "Notify",
      [
        Self.text(program), .unsigned(number), Self.text(icon), Self.text(summary), Self.text(body),
        .texts([]), .dictionary([:]), .signed(-1),
      ], startsService: false)
    do throws(BusFailure) {
      let reply = try await BusClient(.user).call(call, within: .seconds(2))
      return reply.values.first?.unsigned.flatMap(UInt32.init(exactly:)) ?? 0
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }

  private static func text(_ text: String) -> BusArgument {
    .text(String(text.unicodeScalars.filter { $0 != "\0" }.prefix(longestText)))
  }
}

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

  /// A notification on the screen.
  package struct Shown: Hashable, Sendable {
    /// The number that the service gave it; 0 where it tells none.
    var number: UInt32
    /// The unique name of the service: another one that has begun since knows nothing of the number.
    var service: String
  }

  /// Has it shown, by the service that runs on the user's own bus; none is started for it.
  ///
  /// Waits at most ten seconds for an answer.
  ///
  /// - Parameter before: The notification whose place it takes. One that is gone is as none.
  /// - Returns: What is on the screen then.
  /// - Throws: `ENXIO` or `EHOSTUNREACH` where no service runs, `ETIMEDOUT` where it does not answer,
  ///   `ELIBACC` without libsystemd, and what keeps the bus from being reached.
  @concurrent
  package func show(replacing before: Shown? = nil) async throws(Errno) -> Shown {
    if let before, before.number != 0 {
      do throws(Errno) {
        return try await show(by: before.service, replacing: before.number)
      } catch {
        // That service is gone, and what it showed with it.
        guard error == .noSuchAddress || error == .noHostRoute else { throw error }
      }
    }
    return try await show(by: Self.service, replacing: 0)
  }

  private static let service = "org.freedesktop.Notifications"

  private func show(by name: String, replacing number: UInt32) async throws(Errno) -> Shown {
    // No buttons, and nothing else to tell; for as long as the service sees fit.
    let call = BusCall(
      name, "/org/freedesktop/Notifications", Self.service, "Notify",
      [
        Self.text(program), .unsigned(number), Self.text(icon), Self.text(summary), Self.text(body),
        .texts([]), .dictionary([:]), .signed(-1),
      ], startsService: false)
    do throws(BusFailure) {
      let reply = try await BusClient(.user).call(call, within: .seconds(10))
      let number = reply.values.first?.unsigned.flatMap(UInt32.init(exactly:)) ?? 0
      return Shown(number: number, service: reply.sender)
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }

  private static func text(_ text: String) -> BusArgument {
    .text(String(text.unicodeScalars.filter { $0 != "\0" }.prefix(longestText)))
  }
}

package import AccessModel

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

  package init(program: String, icon: String, summary: String, body: String) {
    self.program = program
    self.icon = icon
    self.summary = summary
    self.body = body
  }

  /// Has it shown, by the service that runs on the user's own bus; none is started for it.
  ///
  /// Waits at most two seconds for an answer.
  ///
  /// - Throws: `ENXIO` or `EHOSTUNREACH` where no service runs, `ETIMEDOUT` where it does not answer,
  ///   `ELIBACC` without libsystemd, and what keeps the bus from being reached.
  @concurrent
  package func show() async throws(Errno) {
    try SessionBus().notify(self)
  }
}

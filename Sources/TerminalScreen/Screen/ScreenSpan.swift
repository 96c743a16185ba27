/// Characters of one line that look alike.
package struct ScreenSpan: Hashable, Sendable {
  /// Text without control characters.
  package var text: String
  package var tone: ScreenTone

  package init(_ text: String, _ tone: ScreenTone = .plain) {
    self.text = text
    self.tone = tone
  }
}

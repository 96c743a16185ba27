/// Characters in one line that have the same tone.
package struct ScreenSpan: Hashable, Sendable {
  /// The text, which contains no control characters.
  package var text: String
  package var tone: ScreenTone

  package init(_ text: String, _ tone: ScreenTone = .plain) {
    self.text = text
    self.tone = tone
  }
}

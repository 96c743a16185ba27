/// What is wrong with the template of a link.
public struct LinkTemplateError: Error, Equatable, CustomStringConvertible {
  /// The template.
  public let template: String
  /// What is wrong, as a clause.
  public let reason: String

  /// One line for a person.
  public var description: String { "the template \(template.debugDescription) \(reason)" }
}

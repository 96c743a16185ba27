/// The namespace of the subscribers and of what they exchange with publishers.
public enum Subscribers {}

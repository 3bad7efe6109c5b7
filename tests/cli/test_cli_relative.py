"""``--coordinates relative``: what is printed, and what a mistake costs."""


def test_check_prints_the_choice(call) -> None:
    done = call("check", "pendulum", "--coordinates", "relative")
    assert done.exit_code == 0, done.stderr
    assert "pin (ground to rod)" in done.stdout
    assert "is sound" in done.stdout


def test_a_model_without_such_coordinates(call) -> None:
    done = call("show", "torque_free_body", "--stage", "lower", "--coordinates", "relative")
    assert done.exit_code == 2
    assert "has no relative coordinates" in done.stderr and "Traceback" not in done.stderr

"""How the judge looks at layers of attention: which parameter is which weight, and which faults they may have."""
